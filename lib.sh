cmd_ () 
{ 
    xdotool key slash;
    sleep .4;
    xdotool type --delay 20 "$1";
    sleep .4;
    xdotool key Return;
    sleep .5;
    idle
}
defs(){ q "
globals()['effs']=lambda: [print('  ',e.kind,e.joint,np.round(np.asarray(e.target,float),2).tolist() if e.kind!='rotation' else '',e.source) for e in session.active.effectors] and None
globals()['props']=lambda: [print(p.name,p.place.round(3).tolist(), p.size.round(3).tolist()) for p in session.document.props] and None
"; }
